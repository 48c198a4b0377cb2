//! Generators, slow twins and laws.
