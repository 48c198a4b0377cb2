//! Which tokens a grammar's sets name.

use crate::grammar::rules::{TokenMember, TokenSet};
use crate::index::TokenId;
use crate::vocab::{TokenKind, Vocabulary};

/// Whether a token is in a set: as loading a grammar has it, a negated set has no stop tokens.
pub(super) fn tokens_of(set: &TokenSet, vocabulary: &Vocabulary, token: TokenId) -> bool {
    if !matches!(vocabulary.kind(token), TokenKind::Text | TokenKind::Letter) {
        return false;
    }
    let listed = set.members.iter().any(|member| match member {
        TokenMember::Name(name) => vocabulary.token_named(name) == Some(token),
        TokenMember::Ids(low, high) => (*low..=*high).contains(&token.0),
    });
    if set.negated { !listed && !vocabulary.is_stop(token) } else { listed }
}
