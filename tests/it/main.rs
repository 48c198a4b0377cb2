//! One test binary: every integration test is a module here.

mod matcher;
mod tidy;
