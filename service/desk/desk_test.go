package desk

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"quire/repository/catalogue"
	"quire/repository/jobs"
	"quire/repository/store"
)

// TestPublic: errors of the machine and the database are for the log; those of rules are for the person.
func TestPublic(t *testing.T) {
	refusing := &pgconn.PgError{Code: "28000", Message: "user=secret is refused"}
	for name, c := range map[string]struct {
		err    error
		status int
		secret bool
	}{
		"rule":          {errors.New("it needs a reason"), 422, false},
		"no job":        {fmt.Errorf("job 9: %w", jobs.ErrNoJob), 404, false},
		"not counted":   {catalogue.ErrNotCounted, 409, false},
		"purged":        {store.ErrPurged, 410, false},
		"busy":          {&catalogue.BusyError{Path: "c.db"}, 503, false},
		"refused":       {fmt.Errorf("opening: %w", refusing), 503, true},
		"network":       {&net.OpError{Op: "dial", Err: errors.New("secret")}, 503, true},
		"a wrong query": {&pgconn.PgError{Code: "42601", Message: "secret"}, 500, true},
		"cancelled":     {context.Canceled, 500, true},
	} {
		status, text, secret := Public(decided(c.err))
		if status != c.status || secret != c.secret || secret == strings.Contains(text, c.err.Error()) {
			t.Errorf("%s: %d %q, secret %v", name, status, text, secret)
		}
	}
}
