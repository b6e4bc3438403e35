import Glibc

/// Waits until `condition` holds. Returns: false when it did not within 20 s.
///
/// A few looks in a row, then one every 1 to 10 ms: in between the processor belongs to what is waited for.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(20)
  var looks: Int32 = 0
  while try !condition() {
    if ContinuousClock.now > deadline { return try condition() }
    looks += 1
    if looks <= 20 { sched_yield() } else { poll(nil, 0, min(10, looks - 20)) }
  }
  return true
}
