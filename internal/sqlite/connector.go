package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"
)

// patience is how long a connection waits for others, like a writer.
const patience = 30 * time.Second

// patient connects to a database. SQLite does not wait for a lock while a connection sets the journal mode: so two
// processes that open a database at once, or one that opens it while another closes it, can find it busy.
type patient struct {
	driver driver.Driver
	name   string
}

// openPatient is sql.Open with a patient connector.
func openPatient(name string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	d := db.Driver()
	if err := db.Close(); err != nil { // it has no connection yet
		return nil, err
	}
	return sql.OpenDB(patient{d, name}), nil
}

// Driver implements driver.Connector.
func (p patient) Driver() driver.Driver { return p.driver }

// Connect implements driver.Connector. It tries again while the database is busy.
func (p patient) Connect(ctx context.Context) (driver.Conn, error) {
	end := time.Now().Add(patience)
	for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		c, err := p.driver.Open(p.name)
		if err == nil || !Busy(err) || time.Now().After(end) {
			return c, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
		}
	}
}
