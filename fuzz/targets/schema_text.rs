//! Fuzz target `schema_text`: glue around `maskwright_fuzz::schema_text`.
#![cfg_attr(feature = "libfuzzer", no_main)]

#[cfg(feature = "libfuzzer")]
libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::schema_text(data));

#[cfg(not(feature = "libfuzzer"))]
fn main() -> std::process::ExitCode {
    maskwright_fuzz::replay::main("schema_text", maskwright_fuzz::schema_text)
}
