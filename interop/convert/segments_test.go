//go:build interop

package convert

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// No peer joins segments. A record that quire convert joined of three has no fault for them, and is one capture with
// the payload digest that the first segment states.
func TestPeersReadJoinedSegments(t *testing.T) {
	names := []string{"seg-1of3.warc.gz", "seg-2of3.warc.gz", "seg-3of3.warc.gz"}
	dir := t.TempDir()
	source, out := filepath.Join(dir, "source"), filepath.Join(dir, "out")
	if err := os.Mkdir(source, 0o777); err != nil {
		t.Fatal(err)
	}
	samples := filepath.Join(testsamples.Path(t, "samples"), "_made", "synthetic", "warc-segmented")
	var was, now []string
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(samples, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(source, name), content, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		was, now = append(was, filepath.Join(source, name)), append(now, filepath.Join(out, name))
	}
	cmd := exec.Command(peers.Quire(t), "convert", source, "--out", out, "--join-segments")
	if answer, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	for _, peer := range peers.Peers {
		if peer.Name == "jhove" { // its WARC module predates WARC 1.1 and refuses all
			continue
		}
		said := peer.Ask(t, now)
		for _, file := range now {
			if v := said[file]; v.Word != peers.Valid {
				t.Errorf("%s says of %s: %s %s", peer.Name, file, v.Word, v.Reason)
			}
		}
	}
	for _, peer := range []struct {
		name, digest string
		ask          func(*testing.T, []string) map[string]peers.Captures
	}{{"pywb", "JOLT5CEK3RWWN2ZSAQ6FDZKQ2STLR7IX", peers.Pywb},
		{"jwarc", "4b973e888adc6d66eb32043c51e550d4a6b8fd17", peers.Jwarc}} {
		apart, joined := peer.ask(t, was), peer.ask(t, now)
		n := 0
		for i := range names {
			n += len(apart[was[i]].Captures)
			want := 0
			if i == 0 {
				want = 1
			}
			all := joined[now[i]].Captures
			if len(all) != want || want == 1 && (all[0].Status != "200" || all[0].Digest != peer.digest) {
				t.Errorf("%s finds in %s: %+v", peer.name, names[i], all)
			}
		}
		t.Logf("%s finds %d captures in the segments", peer.name, n)
	}
}
