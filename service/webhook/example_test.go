package webhook_test

import (
	"encoding/json"
	"fmt"
	"time"

	"quire/repository/jobs"
	"quire/service/webhook"
)

func Example() {
	ended := time.Date(2027, 1, 31, 22, 0, 0, 0, time.UTC)
	m := webhook.Of(&jobs.Job{ID: 7, State: jobs.Failed, Queue: "audit", Command: []string{"audit"}, By: "Ada",
		Submitted: ended.Add(-time.Hour), Ended: ended}, "https://operate.archive.example")
	text, err := json.MarshalIndent(m, "", "  ")
	fmt.Println(string(text), err)
	// Output:
	// {
	//   "type": "job.failed",
	//   "timestamp": "2027-01-31T22:00:00Z",
	//   "data": {
	//     "job": 7,
	//     "kind": "audit",
	//     "state": "failed",
	//     "queue": "audit",
	//     "by": "Ada",
	//     "submitted": "2027-01-31T21:00:00Z",
	//     "ended": "2027-01-31T22:00:00Z",
	//     "url": "https://operate.archive.example/api/v1/jobs/7"
	//   }
	// } <nil>
}
