//! Placeholder.

/// Placeholder.
#[derive(Debug)]
pub struct Compiler;
/// Placeholder.
#[derive(Debug)]
pub struct CompiledGrammar;
/// Placeholder.
#[derive(Debug)]
pub struct CompilerConfig;
