import AudioGraph

/// The reports of the local voice's pitch: their interval, and the meter, which comes and goes with the voice.
///
/// Thread: control, under the pipeline's lock.
struct VoicePitchReports {
  /// A meter in the graph, and the node that it is attached to.
  struct Hanging {
    let meter: VoicePitchMeter
    let id: NodeID
    let upstream: NodeID
  }

  let ticksPerReport: Int
  let makeMeter: @Sendable (AudioFormat) throws -> VoicePitchMeter
  var hanging: Hanging?
  private var departing: [RetiredMeter<VoicePitchMeter>] = []
  /// First tick that has not been processed.
  private(set) var nextTick: Int
  private let startTick: Int
  /// Newest pitches; the last one is that of the tick before `nextTick`.
  private var recent: [Float] = []

  /// Number of pitches that are kept for the volume reports of the same ticks.
  private static let keptTicks = 1_024

  /// - Parameters:
  ///   - interval: Milliseconds, at least 1; rounded up to whole frames.
  ///   - startTick: First tick of the reports.
  ///   - makeMeter: Creates the meter.
  init(
    interval: Int, startTick: Int, makeMeter: @escaping @Sendable (AudioFormat) throws -> VoicePitchMeter
  ) {
    ticksPerReport = (min(interval, .max - 9) + 9) / 10
    self.makeMeter = makeMeter
    self.startTick = startTick
    nextTick = startTick
  }

  /// Retires a meter that has left the graph.
  mutating func letGo(of meter: VoicePitchMeter) { departing.append(RetiredMeter(meter, tick: nextTick)) }

  /// Advances by one completed tick.
  ///
  /// - Returns: The pitch to report at its end; nil for none.
  mutating func advance() -> Float? {
    let tick = nextTick
    nextTick += 1
    var late: Float?
    for index in departing.indices {
      if let hertz = departing[index].value(atTick: tick, { $0.hertz(tick) }) { late = late ?? hertz }
    }
    departing.removeAll(where: \.isGone)
    let measured = late ?? hanging?.meter.hertz(tick)
    recent.append(measured ?? 0)
    if recent.count > 2 * Self.keptTicks { recent.removeFirst(Self.keptTicks) }
    return (nextTick - startTick) % ticksPerReport == 0 ? measured : nil
  }

  /// Returns the pitch in a processed tick, in Hz.
  func hertz(atTick tick: Int) -> Double {
    let index = recent.count - (nextTick - tick)
    return recent.indices.contains(index) ? Double(recent[index]) : 0
  }
}
