//! Fuzz target `gguf`: glue around `maskwright_fuzz::gguf`.
#![cfg_attr(feature = "libfuzzer", no_main)]

#[cfg(feature = "libfuzzer")]
libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::gguf(data));

#[cfg(not(feature = "libfuzzer"))]
fn main() -> std::process::ExitCode {
    maskwright_fuzz::replay::main("gguf", maskwright_fuzz::gguf)
}
