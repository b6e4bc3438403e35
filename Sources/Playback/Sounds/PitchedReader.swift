import AudioFiles
import AudioGraph
import Effects

/// Changes the pitch of a sound before it is played.
///
/// Reading ahead compensates for the shift's delay, so that the sound begins with its first sample and keeps its
/// length.
final class PitchedReader: SoundConversionStage {
  private let reader: ConvertingReader
  private let shifter: PitchShifter
  private let memory: FrameMemory
  private let channelCount: Int
  private let frameCount: Int
  private var hasBegun = false
  private var isAtEnd = false
  /// Samples per channel that have been read; `renderedCount` and `outputCount` count those rendered and returned.
  private var inputCount = 0
  private var renderedCount = 0
  private var outputCount = 0
  /// Samples of the frame rendered last that belong to the sound.
  private var lastCount = 0
  private let sampleRate: Int

  init(_ reader: ConvertingReader, ratio: PitchRatio, format: AudioFormat) {
    self.reader = reader
    shifter = PitchShifter(channelCount: format.channelCount, sampleRate: format.sampleRate, ratio: ratio)
    memory = FrameMemory(count: 2, format: format)
    channelCount = format.channelCount
    sampleRate = format.sampleRate
    frameCount = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
  }

  func prepare() throws(AudioFileError) {
    while outputCount == renderedCount, !isAtEnd || renderedCount < inputCount { try render() }
  }

  func readSome(into base: UnsafeMutablePointer<Float>, stride: Int, count: Int) throws(AudioFileError) -> Int {
    try prepare()
    let available = renderedCount - outputCount
    let count = min(count, available)
    let output = memory[1]
    for channel in 0..<channelCount {
      let from = output.channel(channel) + lastCount - available
      copySamples(from: from, to: base + channel * stride, count: count)
    }
    outputCount += count
    return count
  }

  func edges(of name: String) -> [LedgerEdge] {
    var ledger = Ledger()
    ledger.input = inputCount
    ledger.output = outputCount
    ledger.held = inputCount - outputCount
    return reader.edges(of: name) + [LedgerEdge("\(name): pitch", from: sampleRate, to: sampleRate, ledger)]
  }

  private func render() throws(AudioFileError) {
    if !hasBegun {
      hasBegun = true
      var left = shifter.latency
      while left > 0 {
        let count = min(left, frameCount)
        try fill(memory[0], count: count)
        shifter.show(memory[0])
        left -= count
      }
    }
    try fill(memory[0], count: frameCount)
    memory[1].header.pointee = memory[0].header.pointee
    shifter.process(memory[0], into: memory[1])
    lastCount = min(frameCount, inputCount - renderedCount)
    renderedCount += lastCount
  }

  /// Fills a frame from the sound; zeros follow its end.
  private func fill(_ frame: Frame, count: Int) throws(AudioFileError) {
    var filled = 0
    while filled < count, !isAtEnd {
      let got = try reader.readSome(
        into: frame.channel(0) + filled, stride: frame.planeStride, count: count - filled)
      filled += got
      if got == 0 { isAtEnd = true }
    }
    inputCount += filled
    for channel in 0..<channelCount {
      let plane = frame.channel(channel)
      for index in filled..<count { plane[index] = 0 }
    }
    frame.header.pointee = FrameHeader(samplePosition: 0, samplesPerChannel: count)
  }
}
