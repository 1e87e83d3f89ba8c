//go:build interop

package release

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/interop/internal/peers"
)

// settings of an image, as Docker has them.
type settings struct {
	User, WorkingDir     string
	Env, Entrypoint, Cmd []string
	Volumes              map[string]struct{}
	ExposedPorts         map[string]struct{}
	Healthcheck          struct{ Test []string }
}

// image loads the image with buildah, and runs its root file system by its settings: as its user,
// read-only but for /tmp and its volume, with no other environment.
func image(t *testing.T, dist string) {
	needs(t, "buildah", "unshare", "chroot")
	folder := t.TempDir()
	buildah := func(args ...string) string {
		t.Helper()
		storage := []string{"--root", filepath.Join(folder, "storage"), "--runroot", filepath.Join(folder, "run"),
			"--storage-driver", "vfs"}
		return strings.TrimSpace(peers.Call(t, nil, "buildah", append(storage, args...)...))
	}
	file := one(t, filepath.Join(dist, "quire_*_image_amd64.tar"))
	buildah("from", "--quiet", "--name", "quire", "docker-archive:"+file)
	var inspected struct {
		Docker struct {
			OS, Architecture string
			Config           settings
		}
	}
	if err := json.Unmarshal([]byte(buildah("inspect", "quire")), &inspected); err != nil {
		t.Fatal(err)
	}
	described, c := inspected.Docker, inspected.Docker.Config
	if described.OS != "linux" || described.Architecture != "amd64" || c.User != "65532:65532" ||
		c.WorkingDir != "/srv/quire" ||
		!slices.Equal(c.Healthcheck.Test, []string{"CMD", "/usr/bin/quire", "health"}) {
		t.Errorf("%+v", described)
	}
	if _, there := c.Volumes["/srv/quire"]; !there {
		t.Errorf("volumes %v", c.Volumes)
	}
	system := buildah("mount", "quire")
	defer buildah("umount", "quire")
	peers.Call(t, nil, "cmp", filepath.Join(system, "usr/bin/quire"), binary(t, dist))

	// contained is a call of the image: its entry point, with these arguments.
	contained := func(args ...string) *exec.Cmd {
		script := `system=$1 user=$2 folder=$3; shift 3
			mount --bind "$system" "$system"; mount -o remount,bind,ro "$system"
			mount -t tmpfs -o mode=1777 tmpfs "$system/tmp"; mount --bind "$folder" "$system/srv/quire"
			exec chroot --userspec="$user" "$system" "$@"`
		all := []string{"--mount", "sh", "-euc", script, "sh", system, c.User, filepath.Join(folder, "volume")}
		call := exec.Command("unshare", append(append(all, c.Entrypoint...), args...)...)
		call.Env = append(slices.Clone(c.Env), "PATH=/usr/sbin:/usr/bin:/sbin:/bin")
		return call
	}
	said := func(args ...string) string {
		t.Helper()
		text, err := contained(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("quire %q: %v: %s", args, err, text)
		}
		return string(text)
	}
	peers.Call(t, nil, "install", "-d", "-m", "750", "-o", "65532", "-g", "65532", filepath.Join(folder, "volume"))
	if text := said("demo"); !strings.Contains(text, "compared with the package: 10 files, no difference") {
		t.Error(text)
	}
	said("demo", "--out", "/srv/quire/tour")
	said("init", "/srv/quire/repository")
	said("ingest", "/srv/quire/tour/package") // QUIRE_REPO of the image names the repository
	if !slices.Equal(c.Cmd, []string{"serve", "--listen", "0.0.0.0:8000"}) {
		t.Errorf("%q", c.Cmd)
	}
	address := peers.FreeAddress(t)
	served(t, contained("serve", "--listen", address), address, func() string {
		return said("health", "http://"+address)
	})
}
