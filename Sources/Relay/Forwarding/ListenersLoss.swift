/// Loss of some listeners of a publisher.
struct ListenersLoss {
  /// Loss, 0...1: nine of ten listeners lose no more.
  let share: Double
  /// Listeners that have reported, 1 or more.
  let listenerCount: Int

  /// Returns the loss of all listeners together; nil for none.
  init?(_ groups: [ListenersLoss]) {
    let count = groups.reduce(0) { $0 + $1.listenerCount }
    var left = (count * 9 + 9) / 10
    let share = groups.sorted { $0.share < $1.share }.first { group in
      left -= group.listenerCount
      return left <= 0
    }?.share
    guard let share else { return nil }
    self.init(share: share, listenerCount: count)
  }

  init(share: Double, listenerCount: Int) {
    self.share = share
    self.listenerCount = listenerCount
  }
}
