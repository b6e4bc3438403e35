public import AudioGraph

/// Reports the pitch of a stream's voice, tick by tick, attached beside the stream.
///
///     audio thread   stream ─▶ node ── PitchReading ──ring──▶ estimate(atTick:)   another thread
///
/// A ring holds the readings of 5 s. Readings that are not fetched in time are lost, newest first, and count as not
/// measured.
/// This module links FFTW, so that a program with it is under the GPL.
public final class PitchMeterNode: AudioNode {
  public let inputs: [InputPort]
  public let outputs: [OutputPort] = []
  private let state: RenderState<PitchMeterState>
  private let readings: RenderState<RingConsumer<PitchReading>>

  private static let capacity = 512

  /// Creates a meter of streams in `format`.
  ///
  /// - Parameter format: sample rate and channel count of the stream.
  /// - Throws: `AudioFormatError` for a rate outside 8 to 192 kHz.
  public init(_ format: AudioFormat) throws(AudioFormatError) {
    inputs = [InputPort(channelCount: format.channelCount)]
    let ring = Ring(
      capacity: Self.capacity, initial: PitchReading(tick: 0, estimate: PitchEstimate(hertz: 0, voicing: 0)))
    readings = RenderState(ring.takeConsumer())
    state = RenderState(
      PitchMeterState(detector: try PitchDetector(sampleRate: format.sampleRate), readings: ring.takeProducer()))
  }

  public var renderer: Renderer { Renderer(renderPitchMeter, state) }

  /// Returns the estimate of one tick. Call it for each tick in order, once the tick is over. Thread: one at a time.
  ///
  /// - Parameter tick: index of the tick.
  /// - Returns: nil if the meter was not in the plan in that tick.
  public func estimate(atTick tick: Int) -> PitchEstimate? {
    while let next = readings.pointer.pointee.peek() {
      let reading = next.pointee
      if reading.tick > tick { return nil }
      readings.pointer.pointee.release(1)
      if reading.tick == tick { return reading.estimate }
    }
    return nil
  }
}

private struct PitchMeterState: ~Copyable {
  private var detector: PitchDetector
  private var readings: RingProducer<PitchReading>

  init(detector: consuming PitchDetector, readings: consuming RingProducer<PitchReading>) {
    self.detector = detector
    self.readings = readings
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let estimate = detector.process(context.input(0))
    _ = readings.push(PitchReading(tick: context.tick.index, estimate: estimate))
  }
}

@_noLocks
private func renderPitchMeter(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  state.assumingMemoryBound(to: PitchMeterState.self).pointee.render(RenderContext(context))
}
