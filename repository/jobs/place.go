package jobs

import (
	"database/sql"
	"path/filepath"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"quire/internal/postgres"
	"quire/internal/sqlite"
)

// Place is where the queue of a repository is: beside its catalogue, and in a folder of submissions.
type Place struct {
	Root     string          // the absolute folder of the repository
	File     string          // the catalogue, if it is a file
	Database *postgres.Place // the catalogue, if it is in a database
}

// folder is the folder of submissions.
func (p Place) folder() string { return filepath.Join(p.Root, "jobs") }

// dialect has the expressions in which the databases differ.
type dialect struct {
	now        string // milliseconds since 1970, by the clock of the database
	submission string // of a job
	source     string // of a job
	worker     string // the newest one of a job
	cancelled  string // not NULL for a job that runs, and that a person cancelled
	time       string // a time from a text, ?
	continued  string // the job that goes on for a job, or NULL
	triggers   string // of the counts
	counts     string // the key of the table of counts
	bytewise   string // after a column: it is sorted and compared by its bytes
	merge      string // metadata with the members of a JSON text, ?
}

var (
	inFile = dialect{
		now:        "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
		submission: "json_extract(metadata, '$.submission')",
		source:     "json_extract(args, '$.source')",
		worker:     "json_extract(attempted_by, '$[#-1]')",
		cancelled:  "json_extract(metadata, '$.cancel_attempted_at')",
		time:       "?",
		continued:  "json_extract(metadata, '$.continued')",
		triggers:   triggersInFile,
		counts:     ", PRIMARY KEY (queue, state)",
		merge:      "jsonb_patch(metadata, ?)",
	}
	inDatabase = dialect{
		now:        "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
		submission: "metadata->>'submission'",
		source:     "args->>'source'",
		worker:     "attempted_by[cardinality(attempted_by)]",
		cancelled:  "metadata->>'cancel_attempted_at'",
		time:       "CAST(CAST(? AS text) || 'Z' AS timestamptz)",
		continued:  "metadata->>'continued'",
		triggers:   triggersInDatabase,
		bytewise:   ` COLLATE "C"`,
		merge:      "metadata || CAST(? AS jsonb)",
	}
)

// open returns the database, with the driver that River needs for it.
func (p Place) open() (*sql.DB, riverdriver.Driver[*sql.Tx], dialect, error) {
	if p.Database != nil {
		db, err := postgres.Open(*p.Database, "quire jobs", false)
		if err != nil {
			return nil, nil, dialect{}, err
		}
		return db, riverdatabasesql.New(db), inDatabase, nil
	}
	db, err := sqlite.Open(p.File, sqlite.Options{
		Pragmas: []string{"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"}, Immediate: true})
	if err != nil {
		return nil, nil, dialect{}, err
	}
	db.SetMaxOpenConns(1) // two connections of one process would wait for each other's lock
	return db, riversqlite.New(db), inFile, nil
}
