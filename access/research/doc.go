// Package research exports the data of a repository as tables for research: Parquet files, which DuckDB,
// Spark and others read (docs/reference/568_parquet.md).
//
// The tables hold only content that is open to the class of readers that the export is for. A run adds
// packages and versions that are new, writes the files of a package again if access to it changed, and
// removes those of packages that are closed or gone. A run that is broken off can be repeated: it goes on.
// Each export is registered in the repository ([quire/holdings/exports]).
package research
