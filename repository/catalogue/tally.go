package catalogue

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// StateTally counts the packages and collections with one last known state in one copy. Documents of
// the repository are not counted.
type StateTally struct {
	Copy     string
	Status   Status
	Packages int64
	Bytes    int64     // of their newest versions
	Oldest   time.Time // the earliest last reading; zero if none was read
	Never    int64     // packages that were never read in the copy
	Since    []int64   // packages that were last read at or after each of the given times
}

// notDocument selects the packages and collections.
const notDocument = "object NOT LIKE '" + DocumentPrefix + "%'"

// StateTallies counts the packages by copy and state, sorted by both, and those that were read since
// each of the times.
func (c *Catalogue) StateTallies(ctx context.Context, times ...time.Time) ([]StateTally, error) {
	var sums strings.Builder
	args := make([]any, 0, len(times))
	for _, t := range times {
		sums.WriteString(", sum(CASE WHEN checked >= ? THEN 1 ELSE 0 END)")
		args = append(args, stamp(t))
	}
	all, err := collect(ctx, c, func(row scanner) (StateTally, error) {
		t := StateTally{Since: make([]int64, len(times))}
		var oldest string
		to := []any{&t.Copy, &t.Status, &t.Packages, &t.Bytes, &oldest, &t.Never}
		for i := range t.Since {
			to = append(to, &t.Since[i])
		}
		err := row.Scan(to...)
		t.Oldest = unstamp(oldest)
		return t, err
	}, "SELECT name, status, count(*), CAST(sum(bytes) AS BIGINT), coalesce(min(nullif(checked, '')), ''), "+
		"sum(CASE WHEN checked = '' THEN 1 ELSE 0 END)"+
		sums.String()+" FROM copies JOIN packages ON id = package WHERE "+notDocument+
		" GROUP BY name, status ORDER BY name, status", args...)
	if err != nil {
		return nil, fmt.Errorf("catalogue: counting the copies: %w", err)
	}
	return all, nil
}

// EventTally counts the events of one type with one outcome.
type EventTally struct {
	Type    string    `json:"type"`
	Outcome string    `json:"outcome"`
	Number  int64     `json:"number"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
}

// EventTallies counts the events of packages and collections since a time, by type and outcome, sorted
// by both.
func (c *Catalogue) EventTallies(ctx context.Context, since time.Time) ([]EventTally, error) {
	all, err := collect(ctx, c, func(row scanner) (EventTally, error) {
		var t EventTally
		var first, last string
		err := row.Scan(&t.Type, &t.Outcome, &t.Number, &first, &last)
		t.First, t.Last = unstamp(first), unstamp(last)
		return t, err
	}, "SELECT type, outcome, count(*), min(time), max(time) FROM events JOIN packages p ON p.id = package "+
		"WHERE time >= ? AND "+notDocument+" GROUP BY type, outcome ORDER BY type, outcome", stamp(since))
	if err != nil {
		return nil, fmt.Errorf("catalogue: counting the events: %w", err)
	}
	return all, nil
}

// Gaps counts states that no event explains.
type Gaps struct {
	Ingest  int64 // packages and collections without an event of their ingest
	Reading int64 // copies of them that are good, without an event of a reading that found them so
}

// Gaps counts the packages, and their copies, that lack the events that lead to their state.
func (c *Catalogue) Gaps(ctx context.Context) (g Gaps, err error) {
	err = c.row(ctx, `SELECT
		(SELECT count(*) FROM packages p WHERE `+notDocument+` AND NOT EXISTS (SELECT 1 FROM events e
			WHERE e.package = p.id AND e.type = 'ingestion' AND e.outcome = 'success')),
		(SELECT count(*) FROM copies k JOIN packages p ON p.id = k.package
			WHERE `+notDocument+` AND k.status = 'good' AND NOT EXISTS (SELECT 1 FROM events e
				WHERE e.package = k.package AND e.copy = k.name AND e.outcome = 'success'
				AND e.type IN ('replication', 'recovery', 'fixity check')))`).Scan(&g.Ingest, &g.Reading)
	if err != nil {
		return g, fmt.Errorf("catalogue: counting missing events: %w", err)
	}
	return g, nil
}

// Incident is a damage or loss that a check found in one copy of a package, with its repair.
type Incident struct {
	Package  string
	Document bool // it is a document of the repository, no package
	Copy     string
	Event    string // id of the event that recorded it
	Time     time.Time
	Detail   string
	Repair   string    // id of the event after which the copy was good again; "" if there is none
	Repaired time.Time // time of that; zero if there is none
	Now      Status    // last known state of the copy
}

// incidents selects the failed fixity checks, each with the first later event of the same copy that
// a repair, or a check without a problem, left.
const incidents = `WITH damage AS (
	SELECT e.package, e.copy, e.id, e.time, e.detail, (
		SELECT min(r.time || ' ' || r.id) FROM events r WHERE r.package = e.package AND r.copy = e.copy
		AND r.time > e.time AND (r.type = 'recovery' OR r.type = 'fixity check' AND r.outcome = 'success')) AS repair
	FROM events e WHERE e.type = 'fixity check' AND e.outcome = 'fail')
	SELECT %s FROM damage JOIN packages p ON p.id = damage.package
	LEFT JOIN copies k ON k.package = damage.package AND k.name = damage.copy
	WHERE damage.time >= ? OR repair IS NULL`

// IncidentSum counts incidents.
type IncidentSum struct {
	Total    int64 `json:"total"`
	Repaired int64 `json:"repaired"` // those that a repair, or a check without a problem, followed
	Open     int64 `json:"open"`     // of the others, those whose copy is neither good nor listed, as last known
}

// Incidents returns at most limit incidents since a time, the newest first, and their numbers. Those
// without a repair are included whatever their time.
func (c *Catalogue) Incidents(ctx context.Context, since time.Time, limit int) (all []Incident, sum IncidentSum,
	err error) {
	if err := c.row(ctx, fmt.Sprintf(incidents, "count(*), count(repair), "+
		"coalesce(sum(CASE WHEN repair IS NULL AND coalesce(k.status, '') NOT IN ('good', 'listed') THEN 1 ELSE 0 END), "+
		"0)"), stamp(since)).Scan(
		&sum.Total, &sum.Repaired, &sum.Open); err != nil {
		return nil, sum, fmt.Errorf("catalogue: counting the damage: %w", err)
	}
	all, err = collect(ctx, c, func(row scanner) (Incident, error) {
		var i Incident
		var object, at, repair string
		err := row.Scan(&i.Package, &object, &i.Copy, &i.Event, &at, &i.Detail, &repair, &i.Now)
		_, i.Document = DocumentName(object)
		i.Time = unstamp(at)
		when, id, _ := strings.Cut(repair, " ")
		i.Repair, i.Repaired = id, unstamp(when)
		return i, err
	}, fmt.Sprintf(incidents, "damage.package, p.object, damage.copy, damage.id, damage.time, damage.detail, "+
		"coalesce(repair, ''), coalesce(k.status, '')")+" ORDER BY damage.time DESC, damage.package, damage.copy "+
		"LIMIT ?",
		stamp(since), limit)
	if err != nil {
		return nil, sum, fmt.Errorf("catalogue: reading the damage: %w", err)
	}
	return all, sum, nil
}
