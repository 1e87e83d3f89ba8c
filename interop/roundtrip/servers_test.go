//go:build interop

package roundtrip

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"quire/interop/internal/peers"
)

// port returns an unused port.
func port(t *testing.T) string {
	t.Helper()
	_, p, err := net.SplitHostPort(peers.FreeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run starts a server and ends it with the test. It waits for the process only then.
func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = cmd.Wait()                          // by a signal
		if said, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("%s said\n%s", cmd.Path, said[max(0, len(said)-4000):])
		}
		_ = log.Close()
	})
}

// nginx serves a folder and returns its address.
func nginx(t *testing.T, dir string) (address string) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Fatal("nginx is not installed: apt-get install nginx-light")
	}
	at, address := t.TempDir(), "127.0.0.1:"+port(t)
	user := ""
	if os.Getuid() == 0 {
		user = "user root;" // the folders of a test belong to its user
	}
	config := filepath.Join(at, "nginx.conf")
	text := fmt.Sprintf(`daemon off; worker_processes 1; pid %[1]s/pid; error_log stderr; %[2]s
events {}
http {
	include /etc/nginx/mime.types;
	default_type application/octet-stream;
	access_log off; gzip on; gzip_types text/css application/javascript image/svg+xml; sendfile on;
	client_body_temp_path %[1]s/a; proxy_temp_path %[1]s/b; fastcgi_temp_path %[1]s/c; uwsgi_temp_path `+
		`%[1]s/d; scgi_temp_path %[1]s/e;
	server {
		listen %[3]s;
		root %[4]s;
		add_header X-Served "for \"all\", <too>" always;
		location /txt/ { charset iso-8859-1; add_header Link "</map>; rel=\"up\""; add_header Link "</next>; `+
		`rel=\"next\""; }
	}
}
`, at, user, address, dir)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, exec.Command(program, "-c", config, "-p", at, "-e", "stderr"))
	await(t, "http://"+address+"/", http.StatusOK)
	return address
}

// caddy starts Caddy as a proxy with the endpoint, and returns the root of the site.
func caddy(t *testing.T, backend, dir string) (root string) {
	t.Helper()
	program := filepath.Join(filepath.Dir(peers.Quire(t)), "quire-caddy")
	if _, err := os.Stat(program); err != nil {
		t.Fatal("build/quire-caddy is not made: make caddy")
	}
	at := t.TempDir()
	root = "http://127.0.0.1:" + port(t)
	config := filepath.Join(at, "Caddyfile")
	text := fmt.Sprintf(`{
	admin off
	persist_config off
}
%s {
	crate {
		base %[1]s/modoai
		admin oai@a.example
		folder %q
		state %q
		allow loopback
		find {
			every 1s
		}
	}
	reverse_proxy %s
}
`, root, dir, filepath.Join(at, "state"), backend)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "run", "--config", config, "--adapter", "caddyfile")
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+at, "XDG_CONFIG_HOME="+at)
	run(t, cmd)
	t.Cleanup(func() { t.Logf("Caddy with the module: %s at most", peak(cmd.Process.Pid)) })
	return root
}

var peakForm = regexp.MustCompile(`VmHWM:\s+([0-9]+) kB`)

// peak returns the peak memory of a process.
func peak(pid int) string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	m := peakForm.FindSubmatch(status)
	if err != nil || m == nil {
		return "unknown"
	}
	kB, _ := strconv.Atoi(string(m[1])) // digits
	return fmt.Sprintf("%d MB", kB*1024/1e6)
}

// await sends requests until a server answers with the status.
func await(t *testing.T, url string, status int) {
	t.Helper()
	var last any
	for end := time.Now().Add(4 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		res, err := http.Get(url)
		if err != nil {
			last = err
			continue
		}
		_ = res.Body.Close() // unread
		if last = res.Status; res.StatusCode == status {
			return
		}
	}
	t.Fatalf("%s does not answer with %d: %v", url, status, last)
}
