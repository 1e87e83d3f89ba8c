// Package sqldump reads the rows of a text dump of a database, as written by pg_dump (COPY and
// INSERT), mysqldump, and Oracle's tools (INSERT scripts). It is no SQL engine. It reads CREATE
// TABLE for the order of columns, and INSERT … VALUES and COPY … FROM stdin for the rows. It skips
// everything else, without mistaking the body of a function for data.
//
// Names of tables and columns are in lower case and without their schema. A value that is not a
// literal (now(), to_date(…), 'a'||chr(10)) remains text. One row bounds the memory use.
package sqldump
