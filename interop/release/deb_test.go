//go:build interop

package release

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quire/interop/internal/peers"
)

// debian unpacks the bare Debian that interop/install made.
func debian(t *testing.T) string {
	t.Helper()
	tools := filepath.Join(root(t), "build", "interop")
	system := filepath.Join(tools, "debian.tar")
	if _, err := os.Stat(system); err != nil {
		absent(t, "no bare Debian: interop/install makes it with debootstrap, as root, from Debian's packages")
	}
	// Not in a temporary folder: that may lie where devices do not work.
	folder, err := os.MkdirTemp(tools, "debian-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	peers.Call(t, nil, "tar", "-xpf", system, "-C", folder)
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// deb installs the Debian package in a bare Debian, and uses it there.
func deb(t *testing.T, dist string) {
	needs(t, "chroot", "dpkg-deb")
	system := debian(t)
	file := one(t, filepath.Join(dist, "quire_*_amd64.deb"))
	peers.Call(t, nil, "cp", file, filepath.Join(system, "tmp", "quire.deb"))
	inside := func(t *testing.T, line string) string {
		t.Helper()
		env := []string{"LC_ALL=C.UTF-8", "HOME=/root", "TMPDIR=/tmp", "MANPAGER=cat", "QUIRE_REPO=",
			"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}
		return peers.Call(t, env, "chroot", system, "bash", "-euo", "pipefail", "-c", line)
	}
	inside(t, "dpkg --install /tmp/quire.deb")
	peers.Call(t, nil, "cmp", filepath.Join(system, "usr/bin/quire"), binary(t, dist))

	for _, c := range []struct{ name, line, want string }{
		{"version", "quire version",
			"quire " + strings.ReplaceAll(strings.Split(filepath.Base(file), "_")[1], "~", "-")},
		{"account", "getent passwd quire; stat -c '%U %G %a' /var/lib/quire",
			":/var/lib/quire:/usr/sbin/nologin\nquire quire 750\n"},
		{"tour", "quire demo", "compared with the package: 10 files, no difference"},
		{"man", "man quire", "quire - Preservation packages for web archives"},
		{"man of a command", "man quire-oai-harvest", "quire oai harvest"},
		{"completion of commands", completed("quire ''"), "inspect\n"},
		{"completion of a flag", completed("quire inspect --forma"), "--format\n"},
		{"completion of a value", completed("quire inspect --format c"), "containermd\n"},
		{"licences", "cat /usr/share/doc/quire/third-party-licences.txt", "==== modernc.org/sqlite v"},
		{"documentation", "cat /usr/share/doc/quire/operations/800_install.md", "# Install"},
		{"configuration", "dpkg-query --show --showformat '${Conffiles}' quire", "/etc/quire/serve.yaml "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if said := inside(t, c.line); !strings.Contains(said, c.want) {
				t.Errorf("%s: no %q in\n%s", c.line, c.want, said)
			}
		})
	}
	t.Run("units", func(t *testing.T) { units(t, system) })
	t.Run("serve", func(t *testing.T) {
		inside(t, "mkdir /tmp/tour; chown quire: /tmp/tour; runuser -u quire -- quire demo --out /tmp/tour; "+
			"runuser -u quire -- quire init /var/lib/quire/repository; "+
			"runuser -u quire -- quire ingest /tmp/tour/package --repo /var/lib/quire/repository")
		address := peers.FreeAddress(t)
		server := exec.Command("chroot", system, "setpriv", "--reuid=quire", "--regid=quire", "--init-groups",
			"env", "-i", "HOME=/var/lib/quire", "/usr/bin/quire", "serve", "--repo", "/var/lib/quire/repository",
			"--config", "/etc/quire/serve.yaml", "--listen", address)
		served(t, server, address, func() string { return inside(t, "quire health http://"+address) })
	})
	t.Run("upgrade and removal", func(t *testing.T) {
		inside(t, "echo 'name: Ours' >>/etc/quire/serve.yaml; dpkg --install /tmp/quire.deb; "+
			"grep Ours /etc/quire/serve.yaml; dpkg --remove quire; test ! -e /usr/bin/quire; dpkg --purge "+
			"quire; test ! -e /etc/quire/serve.yaml; "+
			"test -d /var/lib/quire/repository; getent passwd quire")
	})
}

// completed is a script that prints the completions of bash for a line.
func completed(line string) string {
	return `source /usr/share/bash-completion/bash_completion; _completion_loader quire || [ $? = 124 ]; ` +
		`COMP_WORDS=(` + line + `); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); ` +
		`$(complete -p quire | sed 's/.*-F \([^ ]*\) .*/\1/'); ` +
		`printf '%s\n' "${COMPREPLY[@]}"`
}

// units has systemd read the units of the package.
func units(t *testing.T, system string) {
	needs(t, "systemd-analyze")
	// A bare Debian has no systemd. The units wait for targets, which are lent to it.
	peers.Call(t, nil, "sh", "-c", `cp --no-clobber /usr/lib/systemd/system/*.target "$1/usr/lib/systemd/system/"`,
		"sh", system)
	for _, unit := range []string{"quire-serve.service", "quire-audit.service", "quire-audit.timer",
		"quire-work.service", "quire-export.service", "quire-export.timer"} {
		said := peers.Call(t, nil, "systemd-analyze", "verify", "--man=no", "--root="+system,
			filepath.Join("/usr/lib/systemd/system", unit))
		for line := range strings.Lines(said) {
			if strings.Contains(line, "quire") {
				t.Errorf("%s: %s", unit, line)
			}
		}
	}
	for _, unit := range []string{"quire-serve.service", "quire-audit.service", "quire-work.service",
		"quire-export.service"} {
		// Exposure in tenths, from 0 to 100: of units that are not hardened it is above 90.
		peers.Call(t, nil, "systemd-analyze", "security", "--offline=yes", "--threshold=25", "--no-pager",
			"--root="+system, unit)
	}
}

// served starts a server, and waits until it is healthy. It must answer a page of the example, and
// end when it is asked to.
func served(t *testing.T, server *exec.Cmd, address string, health func() string) {
	t.Helper()
	var said strings.Builder
	server.Stdout, server.Stderr = &said, &said
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	defer func() { _ = server.Process.Kill() }()
	get := func(path string) (int, string) {
		answer, err := http.Get("http://" + address + path)
		if err != nil {
			return 0, err.Error()
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			return 0, err.Error()
		}
		return answer.StatusCode, string(body)
	}
	waited := func(path, want string) {
		t.Helper()
		var status int
		var body string
		for range 600 {
			if status, body = get(path); status == 200 && strings.Contains(body, want) {
				return
			}
			select {
			case err := <-ended:
				t.Fatalf("the server ended: %v: %s", err, said.String())
			case <-time.After(100 * time.Millisecond):
			}
		}
		t.Errorf("%s: %d %s", path, status, body)
	}
	waited("/healthz", "ok\n")
	if said := health(); said != "healthy\n" {
		t.Error(said)
	}
	waited("/all/20261121mp_/http://harbour-museum.example/", "Saltmarsh Quay")
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v: %s", err, said.String())
	}
}
