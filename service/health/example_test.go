package health_test

import (
	"net/http"

	"quire/repository/jobs"
	"quire/repository/store"
	"quire/service/health"
)

func Example() {
	var s *store.Store // open
	var q *jobs.Queue
	http.Handle("GET /readyz", health.NewReady(s, q))
}
