import Engine
import FrameObservers
import Glibc
import OfflineProcessing

final class Printer: AudioDataFrameObserver {
  func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool {
    var peak = 0
    for index in 0..<frame.samples.count { peak = max(peak, abs(Int(frame.samples[index]))) }
    print("record at \(frame.samplePosition): \(frame.samplesPerChannel) x \(frame.channelCount), peak \(peak)")
    return true
  }
}

@main
enum Observer {
  static func main() {
    var job = FileProcessing()
    job.input = .path(CommandLine.arguments.dropFirst().first ?? "/usr/share/sounds/alsa/Front_Center.wav")
    job.observers = [.observer(Printer(), mask: .record)]
    do {
      let result = try job.prepare().run()
      print("\(result.inputSamplesPerChannel) samples, \(result.inputFormat)")
    } catch {
      print(error)
      exit(1)
    }
  }
}
