//! Fuzz target `pattern`: glue around `maskwright_fuzz::pattern`.
#![cfg_attr(feature = "libfuzzer", no_main)]

#[cfg(feature = "libfuzzer")]
libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::pattern(data));

#[cfg(not(feature = "libfuzzer"))]
fn main() -> std::process::ExitCode {
    maskwright_fuzz::replay::main("pattern", maskwright_fuzz::pattern)
}
