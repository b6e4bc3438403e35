package import AudioGraph

/// Plays planes of samples from memory; lossless, or for ever with silence behind the end.
package final class PlaneSource: AudioSource {
  package let node: any AudioNode
  package let channelCount: Int
  package let sampleRate: Int
  private let source: FrameSourceNode
  private let count: Int

  package init(_ planes: [[Float]], sampleRate: Int = 48_000, uid: UInt32 = 1) throws {
    channelCount = planes.count
    self.sampleRate = sampleRate
    count = planes[0].count
    let schedule = FrameSchedule(sampleRate: sampleRate)
    let frames = schedule.frameCount(holding: count)
    let ring = FrameRing(
      capacity: frames, format: try AudioFormat(sampleRate: sampleRate, channelCount: planes.count))
    var producer = ring.takeProducer()
    for index in 0..<frames {
      let frame = producer.reserve()!.pointee
      let start = schedule.position(ofFrame: index)
      frame.header.pointee = FrameHeader(
        samplePosition: start, samplesPerChannel: schedule.samplesPerChannel(ofFrame: index), sourceID: uid)
      for (channel, plane) in planes.enumerated() {
        for sample in 0..<frame.samplesPerChannel {
          frame.channel(channel)[sample] = start + sample < plane.count ? plane[start + sample] : 0
        }
      }
      producer.commit(1)
    }
    producer.finish()
    source = FrameSourceNode(reading: ring.takeConsumer(), channelCount: planes.count)
    node = source
  }

  package var isReady: Bool { true }
  package var isExhausted: Bool { source.isExhausted }
  package func requestMore() {}
  package var endPosition: Int? { count }
}
