package jobs_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quire/repository/jobs"
)

// TestForget: a delivery that was submitted is forgotten when its job is no longer listed and it has been away for
// long. Until then it is not new when it comes back; one that stays in its folder never is.
func TestForget(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q, db, dir := opened(t, p), database(t, p), t.TempDir()
		kept := func(want ...string) {
			t.Helper()
			if got := arrivals(t, q, dir, "marker"); len(got) > 0 {
				t.Errorf("%q was submitted", got)
			}
			var names []string
			for _, name := range []string{"away", "listed", "there", "other"} {
				var n int
				err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM jobs_arrivals WHERE path LIKE ?",
					"%/"+name).Scan(&n)
				if err != nil {
					t.Fatal(err)
				}
				if n > 0 {
					names = append(names, name)
				}
			}
			if !slices.Equal(names, want) {
				t.Errorf("kept are %q, want %q", names, want)
			}
		}
		move := func(from, to string) {
			t.Helper()
			if err := os.Rename(from, to); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"away", "listed", "there"} {
			write(t, filepath.Join(dir, name, "complete"), "x")
		}
		if got := arrivals(t, q, dir, "marker"); len(got) != 3 {
			t.Fatalf("%q", got)
		}
		db.exec(t, "INSERT INTO jobs_arrivals (path, state) VALUES ('/elsewhere/other', 'x')")
		db.exec(t, "DELETE FROM river_job WHERE id NOT IN (SELECT job FROM jobs_arrivals WHERE path LIKE '%/listed')")
		away, aside := filepath.Join(dir, "away"), filepath.Join(t.TempDir(), "away")
		move(away, aside)
		if err := os.RemoveAll(filepath.Join(dir, "listed")); err != nil {
			t.Fatal(err)
		}
		kept("away", "listed", "there", "other")
		kept("away", "listed", "there", "other")
		db.exec(t, "UPDATE jobs_arrivals SET gone = gone - 2764800000 WHERE gone IS NOT NULL") // 32 days
		move(aside, away)
		kept("away", "listed", "there", "other") // it is back
		move(away, aside)
		kept("away", "listed", "there", "other") // the time begins again
		db.exec(t, "UPDATE jobs_arrivals SET gone = gone - 2764800000 WHERE gone IS NOT NULL")
		kept("listed", "there", "other")
		move(aside, away)
		if got := arrivals(t, q, dir, "marker"); !slices.Equal(got, []string{"away"}) {
			t.Errorf("forgotten and back: %q", got)
		}
	})
}

// TestForgetInPlace: a delivery of a place is away if no file has its name, or is below it. Other names that begin with
// its name say nothing.
func TestForgetInPlace(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q, db, dir := opened(t, p), database(t, p), t.TempDir()
		for _, name := range []string{"b-x/1", "b.more/1", "b/1", "c-x/1", "c-x/2", "d/1/2", "e", "e-x/1", "f-x-y/1",
			"f-x/1", "f0/1", "ä/1", "Z/1"} {
			write(t, filepath.Join(dir, name), "x")
		}
		there := []string{"Z", "b", "b-x", "b.more", "c-x", "d", "e", "e-x", "f-x", "f-x-y", "f0", "ä"}
		away := []string{"A", "a", "b-", "bb", "c", "c-", "c0", "f", "f-", "g", "zz", "ö"}
		for _, name := range append(slices.Clone(away), there...) {
			db.exec(t, "INSERT INTO jobs_arrivals (path, state) VALUES ('file://"+dir+"/"+name+"', 'x')")
		}
		look := func() {
			t.Helper()
			watched(t, q, dir, t.TempDir(), "age:1h")
			var got []string
			for _, name := range slices.Concat(away, there, []string{"c"}) {
				var gone sql.NullInt64
				err := db.QueryRowContext(t.Context(), "SELECT gone FROM jobs_arrivals WHERE path = ?",
					"file://"+dir+"/"+name).Scan(&gone)
				if err != nil {
					t.Fatal(name, err)
				}
				if gone.Valid && !slices.Contains(got, name) {
					got = append(got, name)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, away) {
				t.Errorf("away are %q, want %q", got, away)
			}
		}
		look()
		write(t, filepath.Join(dir, "c", "1"), "x")
		away = slices.DeleteFunc(away, func(name string) bool { return name == "c" })
		look()
	})
}
