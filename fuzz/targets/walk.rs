//! Fuzz target `walk`: glue around `maskwright_fuzz::walk`.
#![cfg_attr(feature = "libfuzzer", no_main)]

#[cfg(feature = "libfuzzer")]
libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::walk(data));

#[cfg(not(feature = "libfuzzer"))]
fn main() -> std::process::ExitCode {
    maskwright_fuzz::replay::main("walk", maskwright_fuzz::walk)
}
