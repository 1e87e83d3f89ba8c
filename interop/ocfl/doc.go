// Package ocfl has rocfl (Rust) and ocfl-py (Python) validate the copies of a repository after a
// life of changes: packages, amendments, documents, a withdrawal, an audit, a repair. Both must also
// refuse damaged copies.
//
//	bash interop/run ocfl
package ocfl
