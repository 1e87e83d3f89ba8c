package catalogue

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"quire/internal/postgres"
	"quire/internal/sqlite"
)

// Unanswered reports whether an error means that the database does not answer now: it is locked, out of reach,
// starts, or refuses the connection. A later try may succeed.
func Unanswered(err error) bool {
	var busy *BusyError
	var network net.Error
	return postgres.Unreachable(err) || postgres.Refuses(err) || sqlite.Busy(err) || errors.As(err, &busy) ||
		errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF)
}

// Failed reports whether an error is one of the database, or of the connection to it.
func Failed(err error) bool {
	return Unanswered(err) || postgres.Failed(err) || sqlite.Failed(err) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, sql.ErrTxDone)
}
