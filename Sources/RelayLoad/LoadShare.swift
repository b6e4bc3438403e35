/// Share of a load's users that one process serves.
///
/// The users of each channel are spread over all processes. Publishers are assigned from the first process on, and
/// listeners from the last one on.
package struct LoadShare: Hashable, Sendable {
  /// The only process of a load.
  package static let whole = LoadShare(index: 0, count: 1)

  /// Index of the process.
  package let index: Int
  /// Number of the processes.
  package let count: Int

  /// Creates the share of one of several processes.
  package init(index: Int, count: Int) {
    precondition(count > 0 && (0..<count).contains(index), "a share is one of those of all processes")
    self.index = index
    self.count = count
  }

  /// Returns the numbers of the share's users, ascending.
  ///
  /// - Parameters:
  ///   - publisherCount: Publishers of the load; their numbers come first.
  ///   - listenerCount: Listeners of the load.
  ///   - channelCount: Channels, to which publishers and listeners are assigned in turn.
  package func numbers(publisherCount: Int, listenerCount: Int, channelCount: Int) -> [Int] {
    guard count > 1 else { return Array(0..<publisherCount + listenerCount) }
    let publishers = (0..<publisherCount).filter { process(of: $0, channelCount) == index }
    let listeners = (0..<listenerCount).filter { count - 1 - process(of: $0, channelCount) == index }
    return publishers + listeners.map { publisherCount + $0 }
  }

  /// Returns the process of a user.
  ///
  /// After a round, processes and channels would meet again in the same order. Each round begins one process later, so
  /// that no channel stays with some processes.
  private func process(of index: Int, _ channelCount: Int) -> Int {
    var (round, rest) = (channelCount, count)
    while rest > 0 { (round, rest) = (rest, round % rest) }
    let roundLength = channelCount / round * count
    return (index + index / roundLength) % count
  }
}
