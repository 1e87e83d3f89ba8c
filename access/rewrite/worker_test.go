package rewrite

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestTheWorkerLendsNoPermission: requests of a context left by one page (a blob: window, for
// example) never use the capability of another open page.
func TestTheWorkerLendsNoPermission(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	const probe = `
;(async () => {
  for (const shown of ['http://r/all/20150102030405mp_/http://open.example/', ` +
		`'http://r/all~PERMISSION/20150102030405mp_/http://secret.example/']) {
    self.clients = { get: async () => ({ url: 'blob:http://r/1' }), matchAll: async () => [{ url: shown }] };
    const here = await whence({ clientId: '1', request: { referrer: '' } });
    console.log(here && here.url);
  }
})();`
	const world = `globalThis.self = { registration: { scope: 'http://r/' }, location: { href: ` +
		`'http://r/-/quire/worker.js', origin: 'http://r' }, addEventListener() {} };`
	cmd := exec.CommandContext(t.Context(), node)
	cmd.Stdin = strings.NewReader(string(slices.Concat([]byte(world), addressJS, workerJS, []byte(probe))))
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "http://open.example/\nnull\n" {
		t.Errorf("%s (%v)", out, err)
	}
}
