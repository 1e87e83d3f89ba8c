package holdings

import (
	"testing"
	"time"
	"unsafe"
)

// TestMoments: a moment is the time that it was made from, also of damaged dates, and unknown times stay unknown.
func TestMoments(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Time{{}, time.Unix(0, 0), time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC),
		time.Date(1996, 5, 12, 23, 59, 59, 123456000, time.FixedZone("", 3600)),
		time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC)} {
		m := momentOf(at)
		if got := m.Time(); !got.Equal(at) || got.Location() != time.UTC || m.known() == at.IsZero() {
			t.Errorf("%v became %v, known %v", at, got, m.known())
		}
	}
	if momentOf(time.Time{}) > momentOf(time.Unix(-1, 0)) {
		t.Error("an unknown time is not the first")
	}
}

// TestPackageSize: Go gives memory in sizes of which 256 bytes is one, and a repository has a value for each package.
func TestPackageSize(t *testing.T) {
	t.Parallel()
	if size := unsafe.Sizeof(pkg{}); size > 256 {
		t.Errorf("a package has %d bytes", size)
	}
}
