package jobs_test

import (
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
