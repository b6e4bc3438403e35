import Glibc

/// WAV files of 16-bit stereo at 48 kHz for the benchmark.
enum StereoFile {
  /// Writes `seconds` of a voice that repeats every ten seconds, a little later on the right; or, hollow, of zeros that
  /// take no room on the disk.
  static func make(_ path: String, seconds: Int, peak: Float, isHollow: Bool) throws(WrongResult) {
    guard let file = fopen(path, "w") else { throw WrongResult("cannot write \(path)") }
    let bytes = seconds * 48_000 * 4
    var isWritten = header(dataBytes: bytes).withUnsafeBytes { fwrite($0.baseAddress!, 1, 44, file) == 44 }
    if isHollow {
      isWritten = isWritten && fflush(file) == 0 && ftruncate(fileno(file), off_t(44 + bytes)) == 0
    } else {
      let voice = Signal.voice(count: 480_000, peak: peak)
      var samples = [Int16](repeating: 0, count: 960_000)
      for index in 0..<480_000 {
        samples[2 * index] = Int16(voice[index] * 32_767)
        samples[2 * index + 1] = Int16(voice[(index + 480_000 - 31) % 480_000] * 32_767)
      }
      var left = bytes
      while left > 0, isWritten {
        let part = min(left, 1_920_000)
        isWritten = fwrite(samples, 1, part, file) == part
        left -= part
      }
    }
    guard fclose(file) == 0, isWritten else { throw WrongResult("the disk is too small for \(path)") }
  }

  /// True where the sound of two files is equally long and no sample differs by more than 3.
  static func isNear(_ path: String, _ other: String, seconds: Int) throws(WrongResult) -> Bool {
    guard let a = fopen(path, "r"), let b = fopen(other, "r") else { throw WrongResult("an output is missing") }
    defer {
      fclose(a)
      fclose(b)
    }
    // The sound is what stands at the end, whatever the header's length.
    let dataBytes = seconds * 48_000 * 4
    guard fseek(a, -dataBytes, SEEK_END) == 0, fseek(b, -dataBytes, SEEK_END) == 0 else { return false }
    var (first, second) = ([Int16](repeating: 0, count: 65_536), [Int16](repeating: 0, count: 65_536))
    while true {
      let count = fread(&first, 2, first.count, a)
      guard fread(&second, 2, second.count, b) == count else { return false }
      if count == 0 { return true }
      for index in 0..<count where abs(Int(first[index]) - Int(second[index])) > 3 { return false }
    }
  }

  private static func header(dataBytes: Int) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    // Sizes beyond 32 bits say that the length is to be taken from the file.
    let data = min(dataBytes, 0xFFFF_FFFF)
    var bytes = Array("RIFF".utf8) + little(min(36 + dataBytes, 0xFFFF_FFFF), 4) + Array("WAVEfmt ".utf8)
    bytes += little(16, 4) + little(1, 2) + little(2, 2) + little(48_000, 4) + little(192_000, 4)
    bytes += little(4, 2) + little(16, 2) + Array("data".utf8) + little(data, 4)
    return bytes
  }
}
