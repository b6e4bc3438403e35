import AudioGraph
import DSP
import Synchronization

/// The audio thread's half of a limiter.
///
/// Each channel has two buffers: the newest samples of the past, then memory for a frame. The frame is copied there
/// only when it has to be measured. Otherwise the output is assembled from past and frame, and the other buffer takes
/// the new past.
struct LimiterState: ~Copyable {
  /// Samples between input and output.
  let delay: Int
  private let control: UnsafePointer<LimiterControl>
  private let past: Int
  private let bufferLength: Int
  private let channelCount: Int
  private let buffers: UnsafeMutablePointer<Float>
  private let needs: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Float>
  private var meter = TruePeakMeter()
  private var envelope: GainEnvelope
  /// Index of the buffer that holds the past: 0 or 1.
  private var front = 0
  /// Largest sample of the previous frame; infinite if it was not measured.
  private var previousPeak: Float = 0
  /// Upper bound of the second differences of the previous frame.
  private var previousBend: Float = 0

  /// Largest sample that is measured, 180 dB above full scale. Larger ones are not sound, and are cut to it before.
  private static var highest: Float { @_noLocks get { 1e9 } }

  /// The limiter's threshold as a factor.
  private let target: Float

  init(channelCount: Int, sampleRate: Int, ceiling: Decibels, control: UnsafePointer<LimiterControl>) {
    self.channelCount = channelCount
    target = LimiterNode.threshold(below: ceiling).linearGain
    self.control = control
    let attack = sampleRate / 500
    delay = TruePeakMeter.lookAhead + attack
    envelope = GainEnvelope(delay: attack, sampleRate: sampleRate)
    let context = TruePeakMeter.lookAhead + TruePeakMeter.lookBehind + 8
    past = (max(delay, context) + 7) / 8 * 8
    let frame = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
    bufferLength = past + (frame + TruePeakMeter.blockCount + TruePeakMeter.lookAhead + 16) / 16 * 16
    buffers = .allocate(capacity: 2 * channelCount * bufferLength)
    buffers.initialize(repeating: 0, count: 2 * channelCount * bufferLength)
    needs = .allocate(capacity: frame + TruePeakMeter.blockCount)
    needs.initialize(repeating: 1, count: frame + TruePeakMeter.blockCount)
    gains = .allocate(capacity: frame)
    gains.initialize(repeating: 1, count: frame)
  }

  deinit {
    buffers.deallocate()
    needs.deallocate()
    gains.deallocate()
  }

  @_noLocks
  mutating func render(_ context: RenderContext) { process(context.input(0), context.output(0)) }

  /// Limits a frame of 10 ms; `output` may be `input`.
  @_noLocks
  mutating func process(_ input: Frame, _ output: Frame) {
    let armed = control.pointee.isArmed.load(ordering: .relaxed)
    let mustMeasure = armed && isLoud(input)
    if !armed { previousPeak = .infinity }
    if !mustMeasure && envelope.isIdle { return passOn(input, output) }

    let count = input.samplesPerChannel
    for channel in 0..<channelCount {
      copySamples(from: input.channel(channel), to: buffer(front, channel) + past, count: count)
    }
    if mustMeasure, previousPeak > Self.highest { cut(count: count) }
    let isNeeded = measure(count: count, mustMeasure: mustMeasure)
    if !isNeeded && envelope.isIdle {
      for channel in 0..<channelCount {
        copySamples(from: buffer(front, channel) + (past &- delay), to: output.channel(channel), count: count)
      }
      control.pointee.showIdle()
    } else {
      let smallest = envelope.process(needs, gains, count: count)
      for channel in 0..<channelCount {
        multiply(buffer(front, channel) + (past &- delay), gains, output.channel(channel), count: count)
      }
      control.pointee.publish(smallest)
    }
    for channel in 0..<channelCount {
      moveSamples(from: buffer(front, channel) + count, to: buffer(front, channel), count: past)
    }
  }

  @_noLocks
  private func cut(count: Int) {
    for channel in 0..<channelCount {
      let samples = buffer(front, channel) + past
      for index in 0..<count {
        if samples[index] > Self.highest { samples[index] = Self.highest }
        if samples[index] < -Self.highest { samples[index] = -Self.highest }
      }
    }
  }

  /// Returns whether an interval that this frame completes could exceed the target.
  @_noLocks
  private mutating func isLoud(_ input: Frame) -> Bool {
    var peak: Float = 0
    for channel in 0..<channelCount {
      let magnitude = PeakScan.magnitude(input.channel(channel), count: input.samplesPerChannel)
      if magnitude > peak { peak = magnitude }
    }
    let largest = peak > previousPeak ? peak : previousPeak
    previousPeak = peak
    // No second difference of samples up to the peak is larger.
    var bend = 4 * peak
    var isLoud = largest * meter.sampleShare > target
    if isLoud {
      bend = largestBend(input)
      isLoud = largest + (bend > previousBend ? bend : previousBend) * meter.bendShare > target
    }
    previousBend = bend
    return isLoud
  }

  /// Returns the largest second difference in the frame, including those that begin in the previous frame.
  @_noLocks
  private func largestBend(_ input: Frame) -> Float {
    var largest: Float = 0
    for channel in 0..<channelCount {
      let samples = UnsafePointer(input.channel(channel))
      let last = buffer(front, channel) + (past &- 2)
      let first = (last[0] - last[1] + (samples[0] - last[1])).magnitude
      let second = (last[1] - samples[0] + (samples[1] - samples[0])).magnitude
      let inside = PeakScan.bend(samples, count: input.samplesPerChannel)
      if first > largest { largest = first }
      if second > largest { largest = second }
      if inside > largest { largest = inside }
    }
    return largest
  }

  /// Delays a frame without reading the samples.
  @_noLocks
  private mutating func passOn(_ input: Frame, _ output: Frame) {
    let count = input.samplesPerChannel
    let back = 1 &- front
    for channel in 0..<channelCount {
      let source = input.channel(channel)
      let target = output.channel(channel)
      copySamples(from: source + (count &- past), to: buffer(back, channel), count: past)
      moveSamples(from: source, to: target + delay, count: count &- delay)
      copySamples(from: buffer(front, channel) + (past &- delay), to: target, count: delay)
    }
    front = back
    control.pointee.showIdle()
  }

  /// Fills `needs`.
  ///
  /// - Returns: True if any need is below 1.
  @_noLocks
  private mutating func measure(count: Int, mustMeasure: Bool) -> Bool {
    let blocks = (count &+ TruePeakMeter.blockCount &- 1) / TruePeakMeter.blockCount
    for index in 0..<(blocks &* TruePeakMeter.blockCount) { needs[index] = 0 }
    var isMeasured = false
    if mustMeasure {
      for channel in 0..<channelCount where measure(channel, blocks: blocks) { isMeasured = true }
    }
    if !isMeasured {
      for index in 0..<count { needs[index] = 1 }
      return false
    }
    var isNeeded = false
    for index in 0..<count {
      let peak = needs[index]
      needs[index] = peak > target ? Self.need(ofPeak: peak / target) : 1
      if peak > target { isNeeded = true }
    }
    return isNeeded
  }

  /// Returns the gain that a peak of `ratio` times the target needs.
  ///
  /// A gain that moves fast bends the wave between its peaks. The deeper it has to go, the further below the target it
  /// aims, up to 0.72 dB at twice the target.
  @_noLocks
  private static func need(ofPeak ratio: Float) -> Float {
    let depth = min(ratio - 1, 1)
    return (1 - 0.08 * depth) / ratio
  }

  /// Raises `needs`, which hold peaks for now, to those of one channel, in the blocks that could exceed the target.
  ///
  /// - Returns: False if no block could.
  @_noLocks
  private mutating func measure(_ channel: Int, blocks: Int) -> Bool {
    let start = buffer(front, channel) + (past &- TruePeakMeter.lookAhead)
    var isMeasured = false
    var continues = false
    for block in 0..<blocks {
      let samples = start + block &* TruePeakMeter.blockCount
      let isLoud = !meter.isBelow(target, samples)
      if isLoud {
        meter.measure(samples, raising: needs + block &* TruePeakMeter.blockCount, continues: continues)
      }
      continues = isLoud
      isMeasured = isMeasured || isLoud
    }
    return isMeasured
  }

  @_noLocks
  private func multiply(
    _ samples: UnsafePointer<Float>, _ gains: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int
  ) {
    for index in 0..<count { output[index] = samples[index] * gains[index] }
  }

  @_noLocks
  private func buffer(_ side: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    buffers + (side &* channelCount &+ channel) &* bufferLength
  }
}
