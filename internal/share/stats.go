package share

// Stats is the state of the slots at a moment.
type Stats struct {
	Capacity, Taken int
	Long            int // of those taken: held by parties that hold them long
	Waiting         int // for a slot
	OfOneTenant     int // held by the tenant that has the most
}

// Stats returns how the slots are taken now.
func (s *Slots) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := Stats{Capacity: s.capacity, Taken: s.taken, Long: s.long, Waiting: s.waiting}
	for p := s.tenants.recent.Front(); p != nil; p = p.Next() {
		stats.OfOneTenant = max(stats.OfOneTenant, p.Value.(*party).held)
	}
	return stats
}

// ShareOf returns how many slots one party may have while others want some, and how many if it holds them
// long.
func (s *Slots) ShareOf() (most, mostLong int) { return shareOf(s.capacity) }
