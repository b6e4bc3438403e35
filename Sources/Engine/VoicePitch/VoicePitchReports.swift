import AudioGraph

/// The reports of the local voice's pitch: their interval, and the meter that comes and goes with the voice.
///
/// Thread: control, under the pipeline's lock.
struct VoicePitchReports {
  /// A meter in the graph, and the node whose output it measures.
  struct Hanging {
    let meter: VoicePitchMeter
    let id: NodeID
    let upstream: NodeID
  }

  let ticksPerReport: Int
  let makeMeter: @Sendable (AudioFormat) throws -> VoicePitchMeter
  var hanging: Hanging?
  private var departing: [RetiredMeter<VoicePitchMeter>] = []
  /// The first tick that has not been looked at.
  private(set) var nextTick: Int
  private let startTick: Int
  /// The newest pitches, the last one that of the tick before `nextTick`.
  private var recent: [Float] = []

  /// Pitches that are kept for the volume reports of the same ticks.
  private static let keptTicks = 1_024

  /// - Parameter interval: milliseconds, at least 1; rounded up to whole frames.
  init(
    interval: Int, startTick: Int, makeMeter: @escaping @Sendable (AudioFormat) throws -> VoicePitchMeter
  ) {
    ticksPerReport = (min(interval, .max - 9) + 9) / 10
    self.makeMeter = makeMeter
    self.startTick = startTick
    nextTick = startTick
  }

  /// Lets go of a meter that has left the graph.
  mutating func letGo(of meter: VoicePitchMeter) { departing.append(RetiredMeter(meter, tick: nextTick)) }

  /// Goes on by one tick that is over. Returns: the pitch to be reported at its end; nil for none.
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

  /// The pitch in a tick that has been looked at, in Hz.
  func hertz(atTick tick: Int) -> Double {
    let index = recent.count - (nextTick - tick)
    return recent.indices.contains(index) ? Double(recent[index]) : 0
  }
}
