import Engine
import FrameObservers

final class Printer: AudioDataFrameObserver {
  func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool {
    if frame.frame.sequenceNumber % 50 == 0 {
      print("record: \(frame.samplesPerChannel) x \(frame.channelCount) at \(frame.sampleRate) Hz")
    }
    return true
  }
}

@main
enum Observer {
  static func main() throws {
    var job = FileProcessing()
    job.input = .path(CommandLine.arguments[1])
    job.observers = [.observer(Printer(), mask: .record)]
    let result = try job.prepare().run()
    print("\(result.positions.count) positions, \(result.inputSamplesPerChannel) samples")
  }
}
