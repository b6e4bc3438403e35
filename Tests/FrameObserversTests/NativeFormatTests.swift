import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct NativeFormatTests {
  @Test(
    "frames without params have the position's own format and samples",
    .shows("F10"),
    arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000], [1, 2, 5])
  func ownFormat(rate: Int, channels: Int) throws {
    let planes = (0..<channels).map { noise(rate / 5, seed: UInt64(rate + $0)) }
    let rig = try ObserverRig(sampleRate: rate, playing: planes)
    let log = FrameLog()
    try rig.add(log.request())
    rig.tick(20)
    var position = 0
    for (index, frame) in log.frames.enumerated() {
      let end = (index + 1) * rate / 100
      #expect(frame.samplePosition == position)
      #expect(frame.samplesPerChannel == end - position)
      #expect(frame.samples.count == (end - position) * channels)
      #expect(frame.sampleRate == rate && frame.channelCount == channels && frame.sequenceNumber == index)
      position = end
    }
    #expect(log.count == 20)
    for channel in 0..<channels { #expect(log.channel(channel) == planes[channel].map(rounded16)) }
    if rate == 22_050 { #expect(log.frames.prefix(4).map(\.samplesPerChannel) == [220, 221, 220, 221]) }
  }

  @Test("ties, full scale and infinities are rounded to the nearest 16 bits")
  func edges() throws {
    let steps: [Float] = [0.5, 1.5, -0.5, -1.5, 32767, 32766.5, 32767.5, -32768, -32769, 1e9, -1e9, 0.49999997]
    let input = steps.map { $0 / 32768 } + [-0.0, .leastNonzeroMagnitude, 0x1p-126, .infinity, -.infinity]
    let rig = try ObserverRig(sampleRate: 8_000, playing: [input])
    let log = FrameLog()
    try rig.add(log.request())
    rig.tick()
    #expect(Array(log.channel(0).prefix(input.count)) == input.map(rounded16))
  }

  @Test("a frame carries its time, position, provenance and RTP timestamp", .shows("F13", "C22"))
  func metadata() throws {
    let rig = try ObserverRig(sampleRate: 48_000, playing: [[Float](repeating: 0, count: 48_000)])
    let checks = Tally()
    try rig.add(
      .readOnly(at: .record) { frame, source in
        let index = frame.sequenceNumber
        if frame.renderTimeMilliseconds == index * 10, frame.captureTimeNanoseconds == index * 10_000_000,
          frame.samplePosition == index * 480, frame.rtpTimestamp == UInt32(index * 480), frame.bytesPerSample == 2,
          frame.provenance == (index % 3 == 2 ? .concealed : .decoded), frame.sampleRate == 48_000,
          frame.channelCount == 1, frame.samplesPerChannel == 480, frame.samples.count == 480,
          source.position == .record
        {
          checks.add()
        }
      })
    rig.tick(10)
    #expect(checks.count == 10)
  }

  @Test("planes are the pipeline's own samples, bit for bit")
  func planes() throws {
    let planes = [noise(960, seed: 5), noise(960, seed: 6)]
    let rig = try ObserverRig(sampleRate: 48_000, playing: planes)
    let checks = Tally()
    try rig.add(
      .readOnly(at: .record) { frame, _ in
        for channel in 0..<2 {
          let plane = frame.plane(channel)
          for index in 0..<plane.count where plane[index] == planes[channel][frame.samplePosition + index] {
            checks.add()
          }
        }
      })
    rig.tick(2)
    #expect(checks.count == 4 * 480)
  }

  @Test("converted frames and read-only frames have no writable planes")
  func noPlanes() throws {
    let rig = try ObserverRig(sampleRate: 48_000, playing: [noise(4_800, seed: 7)])
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, access: .readWrite, samplesPerCall: 160)
    let lengths = Tally()
    _ = try rig.hub.add(
      .readWrite(at: .record, params: [.record: params]) { frame, _ in
        lengths.add(frame.plane(0).count)
        let looked = frame.frame
        lengths.add(looked.plane(0).count)
      })
    final class Looker: AudioDataFrameObserver {
      let lengths: Tally
      init(_ lengths: Tally) { self.lengths = lengths }
      func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool {
        lengths.add(frame.plane(0).count)
        return false
      }
    }
    try rig.add(.observer(Looker(lengths)))
    rig.tick(10)
    #expect(lengths.count == 0)
  }
}
