//! One test binary: every integration test is a module here.

mod boolean_laws;
mod cli;
mod embedded;
mod examples;
mod grammar_laws;
mod grammar_reports;
mod grammars;
mod keyword_table;
mod laws;
mod maskbench;
mod matcher;
mod missing_bytes;
mod products;
mod random_documents;
mod reported;
mod reports;
mod shipped;
mod snapshots;
mod suite;
mod tags;
mod tidy;
mod tools;
mod unique;
mod validator;
mod vocabulary;
mod worlds;
