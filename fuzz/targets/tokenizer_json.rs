//! Fuzz target `tokenizer_json`: glue around `maskwright_fuzz::tokenizer_json`.
#![cfg_attr(feature = "libfuzzer", no_main)]

#[cfg(feature = "libfuzzer")]
libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::tokenizer_json(data));

#[cfg(not(feature = "libfuzzer"))]
fn main() -> std::process::ExitCode {
    maskwright_fuzz::replay::main("tokenizer_json", maskwright_fuzz::tokenizer_json)
}
