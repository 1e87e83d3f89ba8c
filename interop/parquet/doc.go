//go:build interop

// Package parquet reads the tables for research with DuckDB, and with a Spark cluster of two workers. It runs
// the queries of docs/how-to/197_research.md.
package parquet
