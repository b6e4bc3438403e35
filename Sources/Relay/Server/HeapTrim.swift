import CPlatform

/// Returns memory to the system after users have left: the heap would keep it for the next ones.
///
/// Thread: one at a time.
struct HeapTrim {
  /// Fewest users that have to leave for it.
  private static let fewest = 20
  /// Most media connections since the last time.
  private var peak = 0

  /// Takes the present number of media connections.
  mutating func note(transports count: Int) {
    peak = max(peak, count)
    guard peak - count >= Self.fewest, 2 * count <= peak else { return }
    cplatform_trim_heap()
    peak = count
  }
}
