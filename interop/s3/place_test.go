//go:build interop

package s3

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"

	"quire/repository/place"
	"quire/repository/place/placetest"
)

// TestPlace runs the tests of every kind of place. versitygw looks for a file before it writes it, so two
// racing writers may both succeed.
func TestPlace(t *testing.T) {
	s := newService(t)
	n := 0
	placetest.Run(t, placetest.Kind{Racers: true, Open: func(t *testing.T) place.Place {
		n++
		name := fmt.Sprint("bucket-", n)
		s.bucket(name, false)
		p, err := place.NewS3(name, "some/prefix", s.settings())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}})
}

// TestRetention writes files with an object lock. A file can be hidden, but its bytes stay.
func TestRetention(t *testing.T) {
	ctx := context.Background()
	s := newService(t)
	s.bucket("locked", true)
	with := s.settings()
	with.Retention, with.RetentionDays = "COMPLIANCE", 2
	p, err := place.NewS3("locked", "", with)
	if err != nil {
		t.Fatal(err)
	}
	c, err := place.Sum(ctx, strings.NewReader("text"), 4)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(ctx, "f", strings.NewReader("text"), c); err != nil {
		t.Fatal(err)
	}
	client := s.client()
	o, err := client.StatObject(ctx, "locked", "f", minio.StatObjectOptions{})
	if err != nil || o.VersionID == "" {
		t.Fatalf("version %q, %v", o.VersionID, err)
	}
	if mode := o.Headers.Get("X-Amz-Object-Lock-Mode"); mode != "COMPLIANCE" {
		t.Errorf("the mode of the lock is %q", mode)
	}
	remove := minio.RemoveObjectOptions{VersionID: o.VersionID, GovernanceBypass: true}
	if err := client.RemoveObject(ctx, "locked", "f", remove); err == nil {
		t.Error("the version was removed in spite of its lock")
	}
	if got := placetest.Read(t, p, "f", 0); got != "text" {
		t.Errorf("the file has %q", got)
	}
}
