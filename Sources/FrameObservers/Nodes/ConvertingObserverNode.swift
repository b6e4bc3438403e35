import AudioGraph
import Resampling

/// Lets an observer change frames in its own format.
///
///     input ──▶ delay ─────────────────────────────────────────────────▶ + ──▶ mute ──▶ output
///        └────▶ reshape ──▶ observer ──▶ written - given ──▶ convert back ┘
///
/// Only the difference is converted back, so an untouched frame keeps every bit and mono does not collapse stereo. The
/// delay is there from registration to removal, whatever the mask says.
final class ConvertingObserverNode: ObserverNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  let latency: Int
  let observationDelay: Int
  private let state: RenderState<ConvertingObserverState>
  private let target: ObserverTarget

  init(format: AudioFormat, params: AudioParams, target: ObserverTarget) throws(ResamplingError) {
    inputs = [InputPort(channelCount: format.channelCount)]
    outputs = [OutputPort(channelCount: format.channelCount)]
    self.target = target
    let reshaper = try FrameConverter(format: format, params: params, quality: .lowDelay, wholeInputDelay: true)
    let back = try RateConverter(
      from: params.sampleRate, to: format.sampleRate, channelCount: params.channelCount, quality: .lowDelay,
      maximumInputCount: params.samplesPerChannel,
      lead: RateConverter.returnLead(
        graphRate: format.sampleRate, observerRate: params.sampleRate, samplesPerBlock: params.samplesPerChannel))
    observationDelay = reshaper.delay
    latency = reshaper.delay * format.sampleRate / params.sampleRate + back.delay
    state = RenderState(
      ConvertingObserverState(
        format: format, params: params, target: target, latency: latency, reshaper: reshaper, back: back))
  }

  var renderer: Renderer { Renderer(renderConvertingObserver, state) }
  /// False: in place, the delayed header would replace the one that gives the observer the position of its samples.
  var rendersInPlace: Bool { false }
}

private struct ConvertingObserverState: ~Copyable {
  private let format: AudioFormat
  private let params: AudioParams
  private let isWanted: ObserverSwitch
  private let target: Unmanaged<ObserverTarget>
  private var reshaper: FrameConverter
  private var back: RateConverter
  private var line: DelayLine
  private var mute: MuteEnvelope
  private let block: UnsafeMutablePointer<ObservedBlock>
  private let scratch: UnsafeMutablePointer<Int16>
  private let difference: UnsafeMutablePointer<Float>
  private let returned: UnsafeMutablePointer<Float>
  /// Number of ticks for which differences may still be on the return path.
  private var ticksToDrain = 0
  /// Samples of the path so far; positions in headers may jump.
  private var time = 0
  private let drainTicks: Int

  init(
    format: AudioFormat, params: AudioParams, target: ObserverTarget, latency: Int,
    reshaper: consuming FrameConverter, back: consuming RateConverter
  ) {
    self.format = format
    self.params = params
    self.reshaper = reshaper
    self.back = back
    mute = MuteEnvelope(sampleRate: format.sampleRate)
    isWanted = ObserverSwitch(target.call, position: target.source.position)
    self.target = .passUnretained(target)
    let frame = FrameSchedule(sampleRate: format.sampleRate).maximumSamplesPerChannel
    drainTicks = (latency + frame - 1) / max(1, frame - 1) + 1
    line = DelayLine(delay: latency, channelCount: format.channelCount, maximumCount: frame)
    scratch = .allocate(capacity: params.samplesPerCall)
    scratch.initialize(repeating: 0, count: params.samplesPerCall)
    difference = .allocate(capacity: params.samplesPerCall)
    difference.initialize(repeating: 0, count: params.samplesPerCall)
    returned = .allocate(capacity: frame * params.channelCount)
    returned.initialize(repeating: 0, count: frame * params.channelCount)
    block = .allocate(capacity: 1)
    block.initialize(
      to: ObservedBlock(
        header: FrameHeader(samplePosition: 0, samplesPerChannel: 0), sampleRate: params.sampleRate,
        channelCount: params.channelCount, interleaved: nil, native: nil, scratch: scratch, isWritable: true))
  }

  deinit {
    block.deallocate()
    scratch.deallocate()
    difference.deallocate()
    returned.deallocate()
  }

  @_noLocks
  mutating func render(_ input: Frame, _ output: Frame) {
    let isOn = isWanted.isOn()
    if isOn, ticksToDrain == 0 { reshaper.restart() }
    if isOn { ticksToDrain = drainTicks }
    if ticksToDrain > 0 { exchange(input, isOn: isOn) }
    for channel in 0..<input.channelCount {
      line.process(input.channel(channel), output.channel(channel), count: input.samplesPerChannel, channel: channel)
    }
    line.advance(input.samplesPerChannel)
    if ticksToDrain > 0 {
      back.pull(into: returned, outputCount: output.samplesPerChannel)
      ChannelMapping.add(returned, channelCount: params.channelCount, to: output)
      ticksToDrain &-= isOn ? 0 : 1
    }
    mute.apply(to: output, at: time &- line.delay)
    time &+= input.samplesPerChannel
  }

  @_noLocks
  private mutating func exchange(_ input: Frame, isOn: Bool) {
    reshaper.push(input, at: time)
    while reshaper.next(block) {
      for index in 0..<params.samplesPerCall { difference[index] = 0 }
      block.pointee.isMuted = false
      if isOn { show() }
      wishMute()
      back.push(difference, inputCount: params.samplesPerChannel)
    }
  }

  /// Passes on the observer's muting from this block on.
  ///
  /// A muted path stays muted when its observer is not called any more. The path lags behind, and only the block after
  /// the observer's last one ends the silence.
  @_noLocks
  private mutating func wishMute() {
    let start = (reshaper.nextStart &- params.samplesPerChannel) &* format.sampleRate
    let isMuted = block.pointee.isMuted
    // Rounded so that no sample of a muted block is heard.
    mute.wish(isMuted, at: isMuted ? floorDivide(start, params.sampleRate) : -floorDivide(-start, params.sampleRate))
  }

  @_noLocks
  private mutating func show() {
    block.pointee.isConverted = false
    block.pointee.isInt16Touched = false
    deliver(block, to: target)
    guard block.pointee.isInt16Touched, let given = block.pointee.interleaved else { return }
    for index in 0..<params.samplesPerCall {
      let change = Int32(scratch[index]) &- Int32(SampleConversion.int16(given[index]))
      difference[index] = Float(change) * 0x1p-15
    }
  }
}

@_noLocks
private func renderConvertingObserver(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let context = RenderContext(context)
  state.assumingMemoryBound(to: ConvertingObserverState.self).pointee.render(context.input(0), context.output(0))
}
