//! What enqueueing costs, on each platform that the loader finds, side by side in one run.
//!
//! `OCL_ICD_VENDORS=folder cargo run --release -p unspool-opencl --example latency [rounds]`

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::platform::{Platform, get_platforms};
use opencl3::program::Program;
use std::ptr::null_mut;
use std::time::Instant;

const SOURCE: &str = "
kernel void empty(void) {}
kernel void add(global float *a, float b) { a[get_global_id(0)] += b; }
";

const COUNT: usize = 10_000;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Client {
    name: String,
    queue: CommandQueue,
    empty: Kernel,
    add: Kernel,
    data: Buffer<f32>,
}

impl Client {
    fn new(platform: Platform) -> Result<Self> {
        let device = Device::new(*platform.get_devices(CL_DEVICE_TYPE_ALL)?.first().ok_or("no device")?);
        let context = Context::from_device(&device)?;
        let queue = CommandQueue::create_default_with_properties(&context, 0, 0)?;
        let program = Program::create_and_build_from_source(&context, SOURCE, "")?;
        let kernel = |name| Kernel::create(&program, name);
        // SAFETY: no memory of ours is used.
        let data = unsafe { Buffer::create(&context, CL_MEM_READ_WRITE, 4 * 1024, null_mut()) }?;
        let (empty, add) = (kernel("empty")?, kernel("add")?);
        Ok(Self { name: platform.name()?, queue, empty, add, data })
    }

    /// Microseconds of `count` enqueues and a finish.
    fn time(&self, count: usize, small: bool, flush: bool) -> Result<f64> {
        let start = Instant::now();
        for _ in 0..count {
            let mut launch = ExecuteKernel::new(if small { &self.add } else { &self.empty });
            if small {
                // SAFETY: the kernel stays within the 4096 elements.
                unsafe { launch.set_arg(&self.data).set_arg(&1f32) };
            }
            let (global, local) = if small { (1024, 64) } else { (1, 1) };
            // SAFETY: as above.
            unsafe { launch.set_global_work_size(global).set_local_work_size(local).enqueue_nd_range(&self.queue) }?;
        }
        if flush {
            self.queue.flush()?;
        }
        self.queue.finish()?;
        Ok(start.elapsed().as_secs_f64() * 1e6)
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[allow(clippy::print_stdout, reason = "what it measures is for people")]
fn main() -> Result<()> {
    let rounds = std::env::args().nth(1).map_or(Ok(7), |n| n.parse::<usize>())?;
    let clients: Vec<Client> = get_platforms()?.into_iter().filter_map(|p| Client::new(p).ok()).collect();
    let mut times = vec![<[Vec<f64>; 4]>::default(); clients.len()];
    for _ in 0..rounds {
        for (client, times) in clients.iter().zip(&mut times) {
            client.time(100, true, false)?;
            for (times, (small, flush)) in times.iter_mut().zip([(false, false), (true, false), (true, true)]) {
                let all: Result<Vec<f64>> = (0..2000).map(|_| client.time(1, small, flush)).collect();
                times.push(median(all?));
            }
            times[3].push(client.time(COUNT, true, false)?);
        }
    }
    println!("microseconds: median of {rounds} rounds, and the least");
    for (client, times) in clients.iter().zip(times) {
        println!("{}", client.name);
        let what = [
            "empty kernel, finish".to_owned(),
            "1024 work-items, finish".to_owned(),
            "1024 work-items, flush, finish".to_owned(),
            format!("{COUNT} times 1024 work-items, finish"),
        ];
        for (what, times) in what.iter().zip(times) {
            let least = times.iter().copied().fold(f64::INFINITY, f64::min);
            println!("    {what:40} {:10.2} {least:10.2}", median(times));
        }
    }
    Ok(())
}
