package jobs

import (
	"context"

	"github.com/riverqueue/river/riverdriver"
)

// Fetch takes jobs of a queue as a worker does, and returns their number. No worker runs them.
func (q *Queue) Fetch(ctx context.Context, name string, most int) (int, error) {
	r, err := q.driver.GetExecutor().JobGetAvailable(ctx, &riverdriver.JobGetAvailableParams{ClientID: "test",
		MaxAttemptedBy: 100, MaxToLock: most, ProducerID: 1, Queue: name})
	if err != nil {
		return 0, err
	}
	return len(r.Jobs), nil
}
