// Package sqldump reads the rows out of the text dump of a database: what pg_dump writes (COPY and
// INSERT), mysqldump, and the INSERT scripts of Oracle's tools. It is no SQL engine: it knows
// CREATE TABLE for the order of columns, INSERT … VALUES and COPY … FROM stdin for the rows, and
// how to pass over everything else without mistaking the body of a function for data.
//
// Names of tables and columns are given in lower case and without their schema. A value that is no
// literal (now(), to_date(…), 'a'||chr(10)) stays the text that it is. Memory is bounded by what
// one row may have.
package sqldump
