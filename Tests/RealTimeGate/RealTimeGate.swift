@main
enum RealTimeGate {
  static func main() {}
}
