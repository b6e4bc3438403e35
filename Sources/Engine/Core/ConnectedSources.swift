import AudioGraph

/// The sources in the graph, with their place in the pipeline's time. Positions are in samples.
///
/// Thread: control, under the pipeline's lock.
struct ConnectedSources {
  struct Entry {
    let source: any AudioSource
    /// Position at which the source's own time begins.
    let begin: Int
    let isUser: Bool
  }

  private(set) var present: [Entry] = []
  /// Latest position at which a user's source was removed.
  private(set) var departedEnd = 0

  /// Takes the sources that are in the graph now.
  ///
  /// - Parameters:
  ///   - users: Sources of users; the time of a new one begins now.
  ///   - sounds: Music and effects; their ends are in the pipeline's time.
  ///   - now: Position of the next tick.
  mutating func replace(users: [any AudioSource], sounds: [any AudioSource], now: Int) {
    let kept = Set(users.map { ObjectIdentifier($0) })
    var begins: [ObjectIdentifier: Int] = [:]
    for entry in present where entry.isUser {
      begins[ObjectIdentifier(entry.source)] = entry.begin
      if !kept.contains(ObjectIdentifier(entry.source)) {
        departedEnd = max(departedEnd, now)
        entry.source.detach()
      }
    }
    present =
      users.map { Entry(source: $0, begin: begins[ObjectIdentifier($0)] ?? now, isUser: true) }
      + sounds.map { Entry(source: $0, begin: 0, isUser: false) }
  }
}
