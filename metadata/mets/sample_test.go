package mets_test

import (
	"os"
	"reflect"
	"testing"

	"quire/internal/testsamples"
	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// TestReadSample reads the sample in the folder next to the project. It was written by hand, in
// another layout and with parts that Quire does not write (METSRights).
func TestReadSample(t *testing.T) {
	in, err := os.Open(testsamples.Path(t, "schemas", "samples", "mets.xml"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	var problems, kinds, files []string
	var hosts int
	err = mets.Read(in, mets.Handler{
		Problem: func(p mets.Problem) { problems = append(problems, p.String()) },
		File:    func(f mets.File, _ mets.FilePlace) error { files = append(files, f.ID); return nil },
		Section: func(s mets.Section, r *xmlstream.Reader) (err error) {
			kinds = append(kinds, string(s.Kind))
			switch e := r.Element(); {
			case e.Is(mods.Namespace, "mods"):
				_, err = mods.Read(r)
			case e.Is(premis.Namespace, "object"):
				_, err = premis.ReadObject(r, func(r *xmlstream.Reader) error {
					c, err := containermd.Read(r, containermd.ReadOptions{})
					if err == nil {
						hosts = len(c.Information.WARC.Response.Hosts)
					}
					return err
				})
			case e.Is(premis.Namespace, "event"):
				_, err = premis.ReadEvent(r)
			case e.Is(premis.Namespace, "agent"):
				_, err = premis.ReadAgent(r)
			}
			return err
		},
	})
	if err != nil || len(problems) > 0 {
		t.Errorf("error %v, problems %q", err, problems)
	}
	wantKinds := []string{"dmdSec", "dmdSec", "techMD", "rightsMD", "digiprovMD", "digiprovMD", "digiprovMD"}
	if !reflect.DeepEqual(kinds, wantKinds) || len(files) != 7 || files[0] != "F1" || hosts != 1 {
		t.Errorf("sections %v, files %v, hosts %d", kinds, files, hosts)
	}
}
