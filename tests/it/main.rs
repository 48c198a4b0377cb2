//! One test binary: every integration test is a module here.

mod cli;
mod matcher;
mod tidy;
mod vocabulary;
